import { checkPlatform } from "./lib/node.mjs";
import { runScript, say } from "./lib/progress.mjs";
import { setUpTests } from "./lib/test-setup.mjs";
import { runVitest } from "./lib/vitest.mjs";

/** `npm test [-- <vitest arguments>]`: installs what tests need, then runs all of them. */
await runScript(async () => {
  checkPlatform();
  const { node, environment } = await setUpTests();
  say("running the tests");
  return runVitest(node, process.argv.slice(2), environment);
});
