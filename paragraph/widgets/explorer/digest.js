// SHA-256 of a text, as 64 hexadecimal digits (FIPS 180-4). Browsers have one of their own, but only where a
// page comes from a safe place; a file that was sent around may not.

const ROUNDS = 64;
const PRIMES = [];
for (let n = 2; PRIMES.length < ROUNDS; n += 1) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
/** The first 32 bits of the fraction of a root. */
const fraction = (root) => ((root % 1) * 2 ** 32) | 0;
const BEGIN = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ADDED = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

const turned = (word, by) => (word >>> by) | (word << (32 - by));
const threeTurns = (word, [one, two, three]) => turned(word, one) ^ turned(word, two) ^ turned(word, three);

/** The bytes of a text in UTF-8. */
const bytesOf = (text) =>
  encodeURIComponent(text)
    .match(/%..|./g)
    ?.map((one) => (one.length > 1 ? parseInt(one.slice(1), 16) : one.charCodeAt(0))) ?? [];

/** A block of 16 words as the 64 that its rounds add. */
function schedule(block) {
  const words = [...block];
  for (let i = 16; i < ROUNDS; i += 1) {
    const [early, late] = [words[i - 15], words[i - 2]];
    const mixed = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const other = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words.push((words[i - 16] + mixed + words[i - 7] + other) | 0);
  }
  return words;
}

function sha256(text) {
  const bytes = [...bytesOf(text), 128];
  const bits = (bytes.length - 1) * 8;
  while (bytes.length % 64 !== 56) bytes.push(0);
  for (const word of [Math.floor(bits / 2 ** 32), bits])
    for (const shift of [24, 16, 8, 0]) bytes.push((word >>> shift) & 255);
  let sums = BEGIN;
  for (let start = 0; start < bytes.length; start += 64) {
    const block = Array.from({ length: 16 }, (_, i) =>
      bytes.slice(start + 4 * i, start + 4 * i + 4).reduce((word, byte) => (word << 8) | byte, 0)
    );
    let [a, b, c, d, e, f, g, h] = sums;
    for (const [i, word] of schedule(block).entries()) {
      const one = (h + threeTurns(e, [6, 11, 25]) + ((e & f) ^ (~e & g)) + ADDED[i] + word) | 0;
      const two = (threeTurns(a, [2, 13, 22]) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    sums = [a, b, c, d, e, f, g, h].map((sum, i) => (sum + sums[i]) | 0);
  }
  return sums.map((sum) => (sum >>> 0).toString(16).padStart(8, "0")).join("");
}
