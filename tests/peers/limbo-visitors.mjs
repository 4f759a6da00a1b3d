/**
 * Players of many versions in one process, who enter a limbo: `node limbo-visitors.mjs '{"port":25565}'`
 * Command: {"join": "1.20.4", "name": "Ann", "hasBody": true}. With a body it is a mineflayer bot, which
 * moves as the game does; without, a node-minecraft-protocol client, which only reads packets.
 * Events: entered {name, height, teleportId}, landed {name, height, floor, wall, air} (with a body),
 * failed {name, message}.
 */
import {
  dialler,
  onCommand,
  plainText,
  readOptions,
  report,
  reserveStandardOutput,
} from "./lib.mjs";

reserveStandardOutput();
const { default: mineflayer } = await import("mineflayer");
const { default: minecraft } = await import("minecraft-protocol");
const { Vec3 } = await import("vec3");

const { port } = readOptions();

onCommand(({ join, name, hasBody }) => {
  const options = { host: "127.0.0.1", username: name, version: join, auth: "offline" };
  const fail = (message) => report("failed", { name, message });
  try {
    const connect = dialler({ port });
    const bot = hasBody
      ? mineflayer.createBot({ ...options, connect, hideErrors: true, viewDistance: "tiny" })
      : undefined;
    const client =
      bot?._client ?? minecraft.createClient({ ...options, connect, hideErrors: true });
    client.on("error", (error) => fail(error.stack));
    client.on("kick_disconnect", ({ reason }) => fail(plainText(reason)));
    client.once("position", ({ y, teleportId }) => {
      report("entered", { name, height: y, teleportId });
      if (bot === undefined) client.end("seen");
    });
    if (bot !== undefined) reportLanding(bot, name);
  } catch (error) {
    fail(error.stack);
  }
});

function reportLanding(bot, name) {
  const nameAt = (x, y, z) => bot.blockAt(new Vec3(x, y, z))?.name;
  const look = () => {
    if (!bot.entity.onGround) return;
    bot.off("physicsTick", look);
    const height = bot.entity.position.y;
    const below = Math.round(height) - 1;
    report("landed", {
      name,
      height,
      floor: nameAt(8, below, 8),
      wall: nameAt(0, below + 1, 8),
      air: nameAt(8, below + 1, 8),
    });
  };
  bot.on("physicsTick", look);
}
