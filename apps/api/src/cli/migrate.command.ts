import { readMigrationConfig } from "#src/config.ts";
import { migrate } from "#src/platform/database/migrate.ts";
import type { Command } from "./command.ts";

export const migrateCommand: Command = {
  name: "migrate",
  usage: "",
  summary: "Brings the database to the newest schema, seeds it and grants the runtime role",
  async run() {
    await migrate({ ...readMigrationConfig(), log: (line) => console.log(line) });
    console.log("The database is up to date");
  },
};
