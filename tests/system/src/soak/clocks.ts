import { parseArgs } from "node:util";
import { momentNames, runAtMoments } from "../clocks/run-at-moments.ts";

/**
 * `npm run soak -- clocks [files] [--at name] [--project api | --whole]`: the api's tests, or all of
 * them, at moments when a day, a month, a year or an offset from UTC changes.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    library: { type: "string", default: "" },
    at: { type: "string", multiple: true, default: [...momentNames] },
    project: { type: "string", default: "api" },
    whole: { type: "boolean", default: false },
  },
});
if (values.at.some((name) => !momentNames.includes(name))) {
  console.error(`--at: one of ${momentNames.join(", ")}`);
  process.exit(2);
}
const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
const failed = await runAtMoments({
  library: values.library,
  names: values.at,
  tests: [...(values.whole ? [] : ["--project", values.project]), ...positionals],
  say: console.log,
  signal: stop.signal,
});
process.exit(failed === 0 ? 0 : 1);
