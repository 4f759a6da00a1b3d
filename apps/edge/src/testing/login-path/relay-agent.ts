import { renameSync, writeFileSync } from "node:fs";
import { countCalls, withoutRepeatedWork } from "./called-files.ts";

/** Loaded into a relay process: on a signal writes which files were called since the one before. */
withoutRepeatedWork();
const calledFiles = await countCalls();
const target = process.env["CALLED_FILES"] ?? "";

process.on("SIGUSR2", () => {
  void calledFiles().then((files) => {
    writeFileSync(`${target}.new`, JSON.stringify(files));
    renameSync(`${target}.new`, target);
  });
});
