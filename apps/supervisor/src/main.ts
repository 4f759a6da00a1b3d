import { startPalisade, type Palisade } from "./compose.ts";
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

let palisade: Palisade | undefined;
// For an upgrade: only the edge has something that outlives it.
process.on("SIGUSR2", () => {
  if (palisade?.handOverEdge() !== true) progress.say("no edge can hand over now");
});

try {
  const config = readConfig(process.env, checkout);
  palisade = await startPalisade(config, progress, stack);
  const { consoleUrl, java } = palisade;
  process.stdout.write(`palisade ready ${consoleUrl} java ${java}\n`);
} catch (error) {
  // After a stop request its own handler ends the process, once everything is stopped.
  if (!stack.signal.aborted) {
    process.stderr.write(`${explain(error)}\n`);
    await stack.undo();
    process.exit(1);
  }
}
