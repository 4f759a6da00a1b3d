import type { TextComponent } from "./chat.ts";
import { encodeInt, encodeShort } from "./fields.ts";

/**
 * Text components as NBT, the form that the configuration and play states take from 1.20.3 on: a
 * compound whose root has no name. Source: minecraft.wiki, "Text component format" and "NBT format"
 * (and "Java Edition protocol/Data types", NBT, for the missing name).
 */

const tagEnd = Buffer.of(0);
const tagByte = 1;
const tagString = 8;
const tagList = 9;
const tagCompound = 10;

/** A string's length has 16 bits. */
const stringBytesMax = 0xffff;

/** @param component of chat.ts; a run longer than 65,535 bytes is cut */
export function encodeTextNbt(component: TextComponent): Buffer {
  return Buffer.concat([Buffer.of(tagCompound), compound(component)]);
}

function compound(component: TextComponent): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(component)) {
    if (typeof value === "string") parts.push(head(tagString, name), javaString(value));
    else if (typeof value === "boolean") {
      parts.push(head(tagByte, name), Buffer.of(value ? 1 : 0));
    } else {
      parts.push(head(tagList, name), Buffer.of(tagCompound), encodeInt(value.length));
      for (const part of value) parts.push(compound(part));
    }
  }
  return Buffer.concat([...parts, tagEnd]);
}

function head(tag: number, name: string): Buffer {
  return Buffer.concat([Buffer.of(tag), javaString(name)]);
}

/**
 * Java's modified UTF-8 behind a 16-bit length: NUL has two bytes, and each half of a surrogate pair has
 * three. Source: java.io.DataInput, Modified UTF-8.
 */
function javaString(text: string): Buffer {
  const bytes: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const encoded = javaUtf8(unit);
    if (bytes.length + encoded.length > stringBytesMax) break;
    bytes.push(...encoded);
  }
  return Buffer.concat([encodeShort(bytes.length), Buffer.from(bytes)]);
}

function javaUtf8(unit: number): readonly number[] {
  if (unit > 0 && unit < 0x80) return [unit];
  if (unit < 0x800) return [0xc0 | (unit >> 6), 0x80 | (unit & 0x3f)];
  return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
}
