/**
 * What games do from 1.20.5 on and the library does not: they keep cookies, give them back when
 * asked, and follow a server that sends them elsewhere. Source: minecraft.wiki, "Java Edition
 * protocol/Packets", Cookie Request, Store Cookie, Transfer.
 */

/** Real players are sent on once or twice; more is a loop. */
export const transfersMax = 3;
const transferIntent = 3;

/** Cookies by their names, kept over transfers. */
export class Luggage {
  #cookies;

  /** @param cookies values in hex */
  constructor(cookies) {
    const entries = Object.entries(cookies);
    this.#cookies = new Map(entries.map(([key, hex]) => [key, Buffer.from(hex, "hex")]));
  }

  get(key) {
    return this.#cookies.get(key);
  }

  put(key, value) {
    this.#cookies.set(key, value);
  }

  toHex() {
    return Object.fromEntries(
      [...this.#cookies].map(([key, value]) => [key, value.toString("hex")]),
    );
  }
}

/** @param intent with which the client comes: `login` or `transfer` */
export function travelling(client, intent, luggage) {
  if (intent === "transfer") {
    const write = client.write.bind(client);
    client.write = (name, packet) => {
      const isHandshake = name === "set_protocol";
      write(name, isHandshake ? { ...packet, nextState: transferIntent } : packet);
    };
  }
  client.on("store_cookie", ({ key, value }) => luggage.put(key, value));
  client.on("cookie_request", ({ cookie: key }) => {
    client.write("cookie_response", { key, value: luggage.get(key) });
  });
}

/** The game says what it is as soon as it is in the configuration state; the library does not. */
export function sayBrand(client) {
  const data = Buffer.from("\x07vanilla", "latin1");
  client.on("state", (state) => {
    if (state !== "configuration") return;
    client.write("custom_payload", { channel: "minecraft:brand", data });
  });
}
