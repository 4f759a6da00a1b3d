import { plainText } from "../lib.mjs";

const spelledCode = /The code is: ((?:[A-Z0-9] ?)+)/;

/** 1.7 gets a picture as a packet for each column, from the left to the right. */
const lastColumn = 127;

/**
 * Solves the captcha of the edge as a player with a screen reader does: asks for the code of each picture as
 * text and types what the chat says.
 *
 * @param types replaces the code of each picture, so that it is wrong
 */
export function solveCaptcha(client, types) {
  const isOf7 = client.version.startsWith("1.7");
  client.on("map", ({ data }) => {
    if (!isOf7 || data[1] === lastColumn) say(client, types ?? "/code text");
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
