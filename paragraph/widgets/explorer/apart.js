// Positives that are too probably wrong are taken out, and clusters fall apart before one's eyes.

/** Is a stated label right with less than this probability? */
const isOut = ({ sign, wrong }, trust) => sign > 0 && wrong > 1000 - Math.round(1000 * trust);

/** What falls apart, in words, from Python's counts before and after: `said` of all, `of` each cluster that
 * changes. */
function fallOf(was, now) {
  const change = (name, text) => `${inThousands(was[name])} → ${inThousands(now[name])} ${text}`;
  const changes = [
    change("clusters", "clusters"),
    change("conflicts", "conflicts"),
    change("follow", "labels that follow")
  ];
  const fell = (parts, left) =>
    [parts > 1 && `falls into ${parts}`, left && `${counting(left, "conflict")} left`].filter(Boolean);
  return {
    of: new Map(now.of.map(([id, parts, left]) => [id, fell(parts, left).join(", ") || "no conflict left"])),
    text: `${counting(now.out, "positive")} out: ${changes.join(", ")}`
  };
}
