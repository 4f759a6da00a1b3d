import { createFailpoint } from "../failpoint.ts";
import { createLastGoodStore } from "../last-good-store.ts";

/**
 * Writes the same shields in rounds until it is killed, or kills itself at a named failpoint; for the
 * crash tests of the store. The revision of a record is its round.
 */
const folder = process.argv[2] ?? "";
const shieldIds = (process.argv[3] ?? "").split(",");
const store = createLastGoodStore(folder, createFailpoint(process.argv.slice(4)));
const { version } = await store.load();

for (let round = version + 1; ; round += 1) {
  await Promise.all(
    shieldIds.map((shield_id) =>
      store.put({ shield_id, revision: round, config: { filler: String(round).repeat(20_000) } }),
    ),
  );
  await store.commit({ version: round, shields: shieldIds.length, refused: 0 });
  process.stdout.write(`${round}\n`);
}
