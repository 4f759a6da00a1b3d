/**
 * Behaviour of games from 1.20.5 on that the library lacks: they store cookies, return them on request,
 * and follow transfers. Source: minecraft.wiki, "Java Edition
 * protocol/Packets", Cookie Request, Store Cookie, Transfer.
 */

/** Real players are transferred once or twice; more is a loop. */
export const transfersMax = 3;
const transferIntent = 3;

/** Cookies by their names, kept over transfers. */
export class CookieJar {
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

/** @param intent the client's intent: `login` or `transfer` */
export function supportTransfers(client, intent, cookieJar) {
  if (intent === "transfer") {
    const write = client.write.bind(client);
    client.write = (name, packet) => {
      const isHandshake = name === "set_protocol";
      write(name, isHandshake ? { ...packet, nextState: transferIntent } : packet);
    };
  }
  client.on("store_cookie", ({ key, value }) => cookieJar.put(key, value));
  client.on("cookie_request", ({ cookie: key }) => {
    client.write("cookie_response", { key, value: cookieJar.get(key) });
  });
}

/** The game sends its brand when it enters the configuration state; the library does not. */
export function sayBrand(client) {
  const data = Buffer.from("\x07vanilla", "latin1");
  client.on("state", (state) => {
    if (state !== "configuration") return;
    client.write("custom_payload", { channel: "minecraft:brand", data });
  });
}
