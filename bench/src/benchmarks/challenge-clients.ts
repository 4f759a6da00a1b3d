import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import {
  encodeConfigurationDisconnect,
  encodeConfigurationKeepAlive,
  encodeConfigurationKeepAliveAnswer,
} from "@palisade/minecraft-protocol/java/configuration";
import {
  acknowledgesLogin,
  encodeLoginSuccess,
  loginAcknowledged,
} from "@palisade/minecraft-protocol/java/login-success";
import {
  encodePlayDisconnect,
  encodePlayKeepAliveAnswer,
} from "@palisade/minecraft-protocol/java/play";
import { checkedHost, checkFailed, loginAs } from "#src/edge/sample-shields.ts";
import type { Exchange } from "#src/programs/exchange-load.ts";

/** The level of the shield that they come to. */
export const level = "high";
const protocols = { "1.21": 767, "1.8": 47 } as const;
export type Version = keyof typeof protocols;
/** The client hangs up in place of an answer, or gives a wrong one. */
export const failures = ["leaves", "answers wrongly"] as const;
export type Failure = (typeof failures)[number];

const nothing = Buffer.alloc(0);
const digits = 8;
const name = `Bot${"0".repeat(digits)}`;
const uuidBytes = 16;

/** Each bot has its own name. A game of 1.21 acknowledges its login before it is asked anything. */
export function failing(version: Version, failure: Failure): Exchange {
  const protocol = protocols[version];
  const begun = begins(version);
  const title = `${version} ${failure}`;
  if (failure === "leaves") return { name: title, steps: [begun], closes: "client" };
  return { name: title, steps: [begun, wrongAnswer(protocol)], closes: "server" };
}

/**
 * The login and the first answer to it.
 *
 * @param shield of those of the level
 */
export function begins(version: Version, shield = 0): Exchange["steps"][number] {
  const protocol = protocols[version];
  const login = loginAs(name, { protocol, host: checkedHost(level, shield) });
  return { send: numbered(login), expect: loggedIn(protocol) };
}

/** Before 1.20.2 the question, whose length differs, follows at once. */
function loggedIn(protocol: number): string {
  const uuid = Buffer.alloc(uuidBytes, 0xee);
  const success = encodeLoginSuccess(protocol, { uuid, name }).toString("hex");
  if (acknowledgesLogin(protocol)) return numbered(success.replace(/(ee){16}/, "..".repeat(16)));
  const text = Buffer.from("eeeeeeee-eeee-eeee-eeee-eeeeeeeeeeee");
  return `${numbered(success.replace(text.toString("hex"), "..".repeat(text.length)))}*`;
}

function wrongAnswer(protocol: number): Exchange["steps"][number] {
  const reason = componentFromText(checkFailed);
  // The edge asks with ids from 1 on.
  if (!acknowledgesLogin(protocol)) {
    return {
      send: (encodePlayKeepAliveAnswer(protocol, 0n) ?? nothing).toString("hex"),
      expect: (encodePlayDisconnect(protocol, reason) ?? nothing).toString("hex"),
    };
  }
  const answer = encodeConfigurationKeepAliveAnswer(protocol, 0n) ?? nothing;
  const question = (encodeConfigurationKeepAlive(protocol, 0n) ?? nothing).toString("hex");
  const kick = encodeConfigurationDisconnect(protocol, reason) ?? nothing;
  return {
    send: Buffer.concat([loginAcknowledged, answer]).toString("hex"),
    expect: question.replace(/(00){8}$/, "..".repeat(8)) + kick.toString("hex"),
  };
}

function numbered(bytes: Buffer | string): string {
  const zeros = Buffer.from("0".repeat(digits)).toString("hex");
  return bytes.toString("hex").replace(zeros, "..".repeat(digits));
}
