import { constants, createPublicKey, publicEncrypt } from "node:crypto";
import {
  encodeByteArray,
  encodeFrame,
  FieldReader,
} from "@palisade/minecraft-protocol/java/fields";

const secret = Buffer.from("00112233445566778899aabbccddeeff", "hex");

/**
 * A real game's answer to an Encryption Request, of any version from 1.8 on that does not sign.
 *
 * @param request the packet's fields
 */
export function encryptionAnswer(request: Buffer): { packet: Buffer; secret: Buffer } {
  const fields = new FieldReader(request, 0, request.length);
  fields.string(20);
  const key = createPublicKey({ key: fields.byteArray(400), format: "der", type: "spki" });
  const token = fields.byteArray(16);
  const sealed = (bytes: Buffer): Buffer =>
    encodeByteArray(publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, bytes));
  return { packet: encodeFrame(1, sealed(secret), sealed(token)), secret };
}
