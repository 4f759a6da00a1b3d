const tickMs = 50;
const boatGravity = 0.04;
const invalidAddress = 5;

/**
 * Answers what the game answers without its player and mineflayer does not: a boat that the player sits
 * in, and a resource pack whose address is not valid.
 */
export function answerAsGame(bot) {
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
