import { startPalisade, type Palisade } from "./compose.ts";
import { readConfig } from "./config.ts";
import { checkout } from "./programs.ts";
import { createProgress } from "./progress.ts";
import { explain, onStopRequest } from "./stop-request.ts";
import { createUndoStack } from "./undo-stack.ts";

process.title = "palisade-supervisor";

const progress = createProgress((text) => process.stdout.write(text));
const stack = createUndoStack((error) => progress.say(`error while stopping: ${String(error)}`));

onStopRequest((reason) => {
  progress.say(`stopping (${reason})`);
  void stack.undo().then(() => {
    progress.say("stopped");
    process.exit(0);
  });
});

let palisade: Palisade | undefined;
// For an upgrade: a hot restart of the edge keeps its players connected.
process.on("SIGUSR2", () => {
  if (palisade?.hotRestartEdge() !== true) progress.say("the edge cannot do a hot restart now");
});

try {
  const config = readConfig(process.env, checkout);
  palisade = await startPalisade(config, progress, stack);
  const { consoleUrl, java } = palisade;
  process.stdout.write(`palisade ready ${consoleUrl} java ${java}\n`);
} catch (error) {
  // After a stop request, its handler ends the process when everything is stopped.
  if (!stack.signal.aborted) {
    process.stderr.write(`${explain(error)}\n`);
    await stack.undo();
    process.exit(1);
  }
}
