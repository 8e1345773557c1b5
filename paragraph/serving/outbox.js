// What a page has to say while its line is lost.

/** What the server has not acknowledged yet, by what it is, each in its turn; kept if the page is closed. */
function outbox(kept, line) {
  const left = new Map(JSON.parse(kept.get("left") || "[]"));
  let said = null; // `[name, content]` under way
  let number = 0;
  const keep = () => kept.set("left", JSON.stringify([...left]));

  function speak() {
    if (said || !left.size || !line.isIn()) return;
    [said] = left;
    number += 1;
    line.say({ ...said[1], n: number });
  }
  return {
    speak,
    get: (name) => left.get(name),
    add(name, content) {
      left.set(name, content);
      keep();
      speak();
    },
    /** The server has answered: something of it is done with. */
    answered(n) {
      if (!said || n !== number) return;
      if (left.get(said[0]) === said[1]) left.delete(said[0]);
      said = null;
      keep();
      speak();
    },
    /** The line is lost: what was under way is said again. */
    again() {
      said = null;
    }
  };
}
