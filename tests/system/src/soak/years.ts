import path from "node:path";
import { checkout } from "../product/checkout.ts";
import { runProgram } from "../product/run-program.ts";

/**
 * `npm run soak -- years [--seed n] [--subscriptions n] [--months n] [--processes n]`: three years of 2,000
 * subscriptions on a clock that is moved from one due moment to the next.
 */

const program = path.join(checkout, "apps/api/src/test-support/years/main.ts");
// Periods are reckoned in UTC: a process with summer time has to agree.
process.exit(await runProgram(program, process.argv.slice(2), { TZ: "Europe/Berlin" }));
