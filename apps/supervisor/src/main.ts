import { startPalisade } from "./compose.ts";
import { readConfig } from "./config.ts";
import { checkout } from "./programs.ts";
import { createProgress } from "./progress.ts";
import { explain, onStopRequest } from "./stop-request.ts";
import { createUndoStack } from "./undo-stack.ts";

process.title = "palisade-supervisor";

const progress = createProgress((text) => process.stdout.write(text));
const stack = createUndoStack((error) => progress.say(`while stopping: ${String(error)}`));

onStopRequest((reason) => {
  progress.say(`stopping (${reason})`);
  void stack.undo().then(() => {
    progress.say("stopped");
    process.exit(0);
  });
});

try {
  const config = readConfig(process.env, checkout);
  const { consoleUrl, java } = await startPalisade(config, progress, stack);
  process.stdout.write(`palisade ready ${consoleUrl} java ${java}\n`);
} catch (error) {
  // After a stop request its own handler ends the process, once everything is stopped.
  if (!stack.signal.aborted) {
    process.stderr.write(`${explain(error)}\n`);
    await stack.undo();
    process.exit(1);
  }
}
