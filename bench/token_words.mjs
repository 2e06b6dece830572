// Writes memory/model/token_words.txt anew: English words that the tokenizer of bench/token_counts.mjs encodes as one token.
// The words come from Debian's package wamerican, which was made from SCOWL (see memory/model/token_words_notice.txt).
// The lower the number of a token, the more common it was, so the words are taken in that order until the file is full.
// Development only. Install the npm package @anthropic-ai/tokenizer into any folder outside of this project, then:
//   node bench/token_words.mjs FOLDER /usr/share/dict/american-english > memory/model/token_words.txt
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [folder, dictionary] = process.argv.slice(2);
const require = createRequire(join(resolve(folder), "package.json"));
const tokenizer = require("@anthropic-ai/tokenizer").getTokenizer();

const FILE_SIZE = 30_000;
const LINE_LENGTH = 112;
const CALENDAR = `Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July
  August September October November December`.split(/\s+/);

const isOneToken = (piece) => tokenizer.encode(piece, "all").length === 1;
const number = (word) => tokenizer.encode(` ${word}`, "all")[0];
const capitalized = (word) => word[0].toUpperCase() + word.slice(1);
const spellings = (word) => [word, ` ${word}`, capitalized(word), ` ${capitalized(word)}`];
const isOneInAllSpellings = (word) => word === word.toLowerCase() && spellings(word).every(isOneToken);

function wrapped(words) {
  const lines = [""];
  for (const word of words) {
    if (lines.at(-1).length + 1 + word.length > LINE_LENGTH) lines.push("");
    lines.push(`${lines.pop()} ${word}`.trimStart());
  }
  return lines.join("\n") + "\n";
}

// "don't" gives "don", because the tokenizer cuts before the apostrophe.
const stems = readFileSync(dictionary, "utf8").split("\n").map((word) => word.split("'")[0]);
const words = stems.filter((word) => /^[A-Za-z]+$/.test(word) && isOneToken(` ${word}`));
const ranked = [...new Set(words)].sort((one, other) => number(one) - number(other));

const chosen = new Set();
let size = 1; // the empty line between the parts
for (const word of [...CALENDAR.filter((name) => isOneToken(` ${name}`)), ...ranked]) {
  if (chosen.has(word)) continue;
  size += word.length + 1;
  if (size > FILE_SIZE) break;
  chosen.add(word);
}
const everywhere = [...chosen].filter(isOneInAllSpellings);
const afterASpace = [...chosen].filter((word) => !isOneInAllSpellings(word));
process.stdout.write(wrapped(everywhere.sort()) + "\n" + wrapped(afterASpace.sort()));
