/**
 * One mineflayer player for each version, in one process:
 * `node limbo-players.mjs '{"port":25565,"versions":["1.8.8","1.21.4"],"reflexes":true}'`
 * A player's name is `P_1_8_8` for 1.8.8. With `reflexes` they also answer what the game answers by itself and mineflayer does not:
 * a boat that they sit in, and a resource pack.
 * Events: spawned {version}, error {version, message}, end {version, reason}.
 */
import { dialler, onCommand, readOptions, report, reserveStandardOutput } from "./lib.mjs";

reserveStandardOutput();
const { default: mineflayer } = await import("mineflayer");

const tickMs = 50;
const boatGravity = 0.04;
const invalidAddress = 5;

const { versions, reflexes = false, ...target } = readOptions();
for (const version of versions) {
  const bot = mineflayer.createBot({
    host: "127.0.0.1",
    port: target.port,
    username: `P_${version.replaceAll(".", "_")}`,
    version,
    auth: "offline",
    connect: dialler(target),
    hideErrors: true,
    viewDistance: "tiny",
  });
  bot.once("spawn", () => report("spawned", { version }));
  bot.on("error", ({ message }) => report("error", { version, message }));
  bot.on("end", (reason) => report("end", { version, reason }));
  if (reflexes) bot.once("inject_allowed", () => answerAsGame(bot));
}
onCommand(() => undefined);

function answerAsGame(bot) {
  const client = bot._client;
  const boats = new Map();
  let riding;
  client.on("add_resource_pack", ({ uuid }) => {
    client.write("resource_pack_receive", { uuid, result: invalidAddress });
  });
  client.on("spawn_entity", ({ entityId, x, y, z }) => boats.set(entityId, { x, y, z, speed: 0 }));
  client.on("set_passengers", ({ entityId, passengers }) => {
    clearInterval(riding);
    const boat = boats.get(entityId);
    if (boat === undefined || !passengers.includes(bot.entity.id)) return;
    riding = setInterval(() => ride(bot, boat), tickMs);
  });
  client.once("end", () => clearInterval(riding));
}

/** One tick in a boat, as the game tells it. */
function ride(bot, boat) {
  const client = bot._client;
  const flags = { onGround: false, hasHorizontalCollision: false };
  boat.speed += boatGravity;
  boat.y -= boat.speed;
  client.write("steer_boat", { leftPaddle: false, rightPaddle: false });
  client.write("look", { yaw: 0, pitch: 0, onGround: false, flags });
  if (!bot.supportFeature("newPlayerInputPacket")) {
    client.write("steer_vehicle", { sideways: 0, forward: 0, jump: 0 });
  }
  client.write("vehicle_move", { ...boat, yaw: 0, pitch: 0, onGround: false });
}
