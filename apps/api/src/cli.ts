import { runCommand } from "#src/cli/run-command.ts";

process.exitCode = await runCommand(process.argv.slice(2));
