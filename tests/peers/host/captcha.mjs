import { plainText } from "../lib.mjs";

const spelledCode = /The code is: ((?:[A-Z0-9] ?)+)/;

/**
 * Solves the captcha of the edge as a player with a screen reader does: asks for the code as text and
 * types what the chat says.
 *
 * @param types replaces the code, so that it is wrong
 */
export function solveCaptcha(client, types) {
  let hasAsked = false;
  client.on("map", () => {
    if (hasAsked) return;
    hasAsked = true;
    if (types === undefined) say(client, "/code text");
    // Each answer but the last brings a new picture.
    else for (let tries = 3; tries > 0; tries--) say(client, types);
  });
  const read = (message) => {
    const code = spelledCode.exec(plainText(message))?.[1];
    if (code !== undefined) say(client, `/code ${code.replaceAll(" ", "")}`);
  };
  client.on("chat", ({ message }) => read(message));
  client.on("system_chat", ({ content }) => read(content));
}

function say(client, message) {
  // From 1.19 on the library has a function for it, because messages are signed.
  if (client.chat === undefined) client.write("chat", { message });
  else client.chat(message);
}
