import minecraftData from "minecraft-data";

const tickMs = 50;
/** The top of the limbo's platform; the blocks of the chunk are not read. */
const floorY = 209;
const eyeHeight = Math.fround(1.62);
const drag = 0.98;
/** A game that does not move tells its place so often. */
const reminderTicks = 20;

/**
 * A game does more in a world by itself than the library does: it tells its settings and brand,
 * confirms teleports, falls tick by tick, and stops on the platform. Source: minecraft.wiki, "Entity",
 * Motion of entities.
 */
export function fallAsTheGame(client, { physics = true } = {}) {
  const isOf7 = client.version.startsWith("1.7");
  const ids = packetsOf(client.version);
  let at;
  let speed = 0;
  let onGround = false;
  let ticksUntold = 0;
  const tell = (name) => {
    const { x, y, z } = at;
    const heights = isOf7 ? { stance: y, y: y + eyeHeight } : { y };
    const flags = { onGround, hasHorizontalCollision: false };
    ticksUntold = 0;
    client.write(name, { x, z, ...heights, yaw: 0, pitch: 0, onGround, flags });
  };
  client.on("position", ({ x, y, z, teleportId }) => {
    at = { x, y: isOf7 ? y - eyeHeight : y, z };
    speed = 0;
    onGround = false;
    if (teleportId !== undefined) client.write("teleport_confirm", { teleportId });
    tell("position_look");
  });
  client.on("held_item_slot", ({ slot }) => client.write("held_item_slot", { slotId: slot }));
  const tick = () => {
    if (at === undefined || client.state !== "play") return;
    const [{ y }, stood] = [at, onGround];
    const lands = y >= floorY && y - speed <= floorY;
    at = { ...at, y: lands ? floorY : y - speed };
    onGround = lands && speed > 0;
    speed = ((lands ? 0 : speed) + 0.08) * drag;
    ticksUntold += 1;
    if (y !== at.y || onGround !== stood || ticksUntold >= reminderTicks) tell("position");
    if (ids.has("tick_end")) client.write("tick_end", {});
  };
  const timer = physics ? setInterval(tick, tickMs) : undefined;
  client.once("end", () => clearInterval(timer));
  const hasConfiguration = ids.isConfigured;
  client.on("state", (state) => {
    if (state === "configuration") client.write("settings", settings);
  });
  client.on("login", () => {
    if (hasConfiguration) return;
    client.write("settings", settings);
    const channel = ids.isOf13 ? "minecraft:brand" : "MC|Brand";
    client.write("custom_payload", { channel, data: Buffer.from("\x07vanilla", "latin1") });
  });
}

/** Settings of all versions together: a version writes those it has. */
const settings = {
  locale: "en_us",
  viewDistance: 10,
  chatFlags: 0,
  chatColors: true,
  difficulty: 1,
  showCape: true,
  skinParts: 127,
  mainHand: 1,
  disableTextFiltering: true,
  enableTextFiltering: false,
  enableServerListing: true,
  particleStatus: "all",
};

function packetsOf(version) {
  const data = minecraftData(version);
  const { types } = data.protocol.play.toServer;
  return {
    has: (name) => types[`packet_${name}`] !== undefined,
    isConfigured: data.protocol.configuration !== undefined,
    isOf13: data.version[">="]("1.13"),
  };
}
