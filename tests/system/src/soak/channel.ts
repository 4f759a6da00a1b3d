import path from "node:path";
import { checkout } from "../product/checkout.ts";
import { runProgram } from "../product/run-program.ts";

/**
 * `npm run soak -- channel [--clients n]`: 2,000 customers watch their tickets through two api processes,
 * one of which is killed while each ticket gets messages.
 */

const program = path.join(checkout, "apps/api/src/test-support/channel/main.ts");
process.exit(await runProgram(program, process.argv.slice(2)));
