// Counts the tokens of tests/data/token_counts.jsonl anew, with the tokenizer that memory/model/tokens.py must never undercut.
// Development only. Install the npm package @anthropic-ai/tokenizer into any folder outside of this project, then:
//   node bench/token_counts.mjs FOLDER < tests/data/token_counts.jsonl > counted.jsonl
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const require = createRequire(join(resolve(process.argv[2]), "package.json"));
const tokenizer = require("@anthropic-ai/tokenizer").getTokenizer();

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { kind, text } = JSON.parse(line);
  const tokens = tokenizer.encode(text.normalize("NFKC"), "all").length;
  process.stdout.write(JSON.stringify({ kind, text, tokens }) + "\n");
}
