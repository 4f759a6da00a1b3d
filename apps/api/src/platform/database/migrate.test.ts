import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createMigratedDatabase } from "#src/test-support/test-app.ts";
import { migrate } from "./migrate.ts";

test("two processes migrate at once, and an index that cannot be built stops neither", async () => {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  onTestFinished(() => owner.end());
  await owner.query(`
    create table parted (day integer) partition by list (day);
    create table parted_1 partition of parted for values in (1);
    create table parted_2 partition of parted for values in (0);
    insert into parted values (1), (0);
    create index parted_day on only parted ((1 / day));
  `);
  const lines: string[] = [];
  const options = { ...database, log: (line: string) => lines.push(line) };
  await Promise.all([migrate(options), migrate(options)]);
  expect(lines.filter((line) => line.startsWith("index parted_1_day: built"))).toHaveLength(1);
  expect(lines).toContainEqual(expect.stringContaining("index parted_2_day: not built: "));

  await owner.query("delete from parted where day = 0");
  await migrate(options);
  expect(lines).toContain("index parted_2_day: built");
  const { rows } = await owner.query(
    "select indisvalid from pg_index where indexrelid = 'parted_day'::regclass",
  );
  expect(rows).toEqual([{ indisvalid: true }]);
}, 60_000);
