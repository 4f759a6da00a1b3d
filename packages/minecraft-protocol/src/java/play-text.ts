import type { TextComponent } from "./chat.ts";
import { encodeString } from "./fields.ts";
import { encodeTextNbt } from "./text-nbt.ts";
import { atLeast } from "./versions.ts";

/** A text as packets of the play state have it: JSON, and NBT from 1.20.3 on. */
export function encodePlayText(protocol: number, text: TextComponent): Buffer {
  if (atLeast(protocol, "1.20.3")) return encodeTextNbt(text);
  return encodeString(JSON.stringify(text));
}
