// The first ten minutes as a story: people, a graph that itches, a tap that mends it, and what follows; each
// step unlocks the next one, and at the end is the Lab. It is told with the Lab's own table and verdicts.

const STORY_NAME = "a story";

/** Rows: people, friends, enemies (by first letters), the balance asked for; what is told before, after. */
const STORY = [
  [
    "Ann Ben Cleo",
    "AB AC",
    "BC",
    "strong",
    "Ann likes Ben and Cleo, but these two have quarrelled: whatever Ann does, one of them is hurt. " +
      "It itches. Click one line to turn friends (+) into enemies (−), or enemies into friends, until " +
      "nobody frowns.",
    "Nothing itches: whoever likes two people sees them like each other. There were three ways. Would" +
      " Ann have chosen yours?"
  ],
  [
    "Ann Ben Cleo",
    "",
    "AB BC AC",
    "strong",
    "Now all three are at odds. Each could win a friend: an enemy's enemy. Turn one line.",
    "Two have joined against the third: two camps. This is strong balance. (Three shops in one street" +
      " may well stay rivals; where more than two camps are allowed, balance is called weak.)"
  ],
  [
    "Ann Ben Cleo Dan",
    "AB AC AD BC BD",
    "CD",
    "strong",
    "Dan joins. All like him but Cleo, and now two triads itch. One line mends both. Which?",
    "The quarrel lay in both triads. Any other line would have upset one that was at ease."
  ],
  [
    "Ann Ben Cleo Dan",
    "",
    "AB AC AD BC BD CD",
    "strong",
    "Four, and nobody likes anybody. Make two camps; two lines are enough.",
    "Two couples: inside a camp all are friends, between camps all are enemies."
  ],
  [
    "Ann Ben Cleo Dan Eve",
    "",
    "AB BC CD DE AE",
    "strong",
    "Five around a table, each at odds with both neighbours. There is no triad, and yet it itches: go" +
      " around and change camp at each −. Mend it.",
    "Around a cycle, the number of − must be even. Frank Harary proved in 1953 that nothing else is " +
      "needed for two camps."
  ],
  [
    "Ann Ben Cleo Dan Eve Finn",
    "AB CD EF BC",
    "AC AD AE AF BD BE BF CE CF DE DF",
    "weak",
    "Three couples, each on its own, and one friendship too many. Find it.",
    "Three camps: weak balance. In the same way, sentences that mean the same make camps, and a wrong" +
      " label itches. The Lab is yours now: choose a start, or type your name for exercises."
  ]
];

/** The table of a step. */
function storyTable(step) {
  const [people, friends, enemies] = STORY[step];
  const nodes = people.split(" ").map((name) => {
    return { key: `p${"ABCDEF".indexOf(name[0])}`, text: name, label: name, sentence: false };
  });
  const edges = (words, sign) =>
    wordsIn(words).map((pair) => [...[...pair].map((letter) => `p${"ABCDEF".indexOf(letter)}`), sign]);
  return { ...BLANK_TABLE, name: STORY_NAME, nodes, edges: [...edges(friends, 1), ...edges(enemies, -1)] };
}

/** The faces of people, for the picture: those on an unbalanced cycle frown. */
function facesOn({ table, work }) {
  const { cycle } = judgeBalance(graphOn(table), STORY[work.story][3]);
  return table.nodes.map((_, place) => ({ number: cycle?.includes(place) ? "☹" : "☺" }));
}

function storyPanel({ table, work }) {
  const [, , , kind, before, after] = STORY[work.story];
  const { balanced } = judgeBalance(graphOn(table), kind);
  const isLast = work.story === STORY.length - 1;
  return {
    title: `A story, ${work.story + 1} of ${STORY.length}`,
    text: balanced ? after : before,
    done: balanced ? "☺ balanced" : null,
    actions: balanced ? [control(isLast ? "To the Lab" : "Go on", "story")] : []
  };
}
