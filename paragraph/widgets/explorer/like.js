// Missed friends: the sentences of other clusters that are most like the one that is chosen.

const HOW = {
  meaning: "By meaning, according to MiniLM's vectors.",
  words: "By words, because no vectors of these sentences are kept: paragraph.learn.encode keeps them."
};

function likeThis({ text }, { by, found }) {
  const pairs = found.map(([node, other, cluster, size, alike, apart], i) => {
    const kept = apart ? `; ${counting(apart, "stated negative")} keep the two clusters apart` : "";
    const where = size > 1 ? `cluster ${cluster}, of ${inThousands(size)}` : "in no cluster";
    return {
      number: i + 1,
      texts: [other],
      keys: [`n${node}`],
      detail: `${probability(alike)} alike; ${where}${kept}`
    };
  });
  return {
    title: "More like this",
    sentence: text,
    how: HOW[by],
    text: pairs.length ? "" : "No sentence of another cluster is like it.",
    pairs_title: "The nearest in other clusters",
    pairs
  };
}
