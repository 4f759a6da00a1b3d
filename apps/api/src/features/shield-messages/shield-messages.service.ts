import type {
  ServerMessages,
  updateServerMessagesBody,
} from "@palisade/contract/http/server-messages";
import type { z } from "zod";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { etagOf, requireMatch } from "#src/platform/http/etag.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { redrawOfflineImage } from "./offline-image.ts";
import {
  selectImage,
  selectMessages,
  updateMessages,
  type MessageTexts,
} from "./shield-messages.repository.ts";

/** @throws DomainError `plan_required` where the plan has no messages of its own */
export async function getMessages(db: Executor, shieldId: string) {
  const stored = await selectMessages(db, shieldId);
  if (!entitlements(stored).customization) throw new DomainError("plan_required");
  return { stored, messages: present(stored), etag: etagOf(["messages", stored.version]) };
}

/** The picture of the shield, whatever its plan: the list of shields shows it. */
export async function getImage(db: Executor, shieldId: string): Promise<{ image: string }> {
  const { image } = await selectImage(db, shieldId);
  if (image === null) throw new DomainError("not_found");
  return { image: dataUriOf(image) };
}

/** Missing texts stay, empty ones become the product's default. */
export async function changeMessages(
  writes: ShieldWrites,
  trx: Trx,
  request: { readonly shieldId: string; readonly ifMatch: string | undefined },
  body: z.output<typeof updateServerMessagesBody>,
) {
  const { shieldId } = request;
  await writes.lockActive(trx, shieldId);
  const before = await getMessages(trx, shieldId);
  requireMatch(request, before.etag);
  await updateMessages(trx, shieldId, merge(before.stored, body));
  const { messages, etag } = await getMessages(trx, shieldId);
  const { revision } = await writes.commit(trx, shieldId);
  return { messages, etag, revision };
}

function merge(
  stored: MessageTexts,
  { general, mitigation, offline, firewall }: z.output<typeof updateServerMessagesBody>,
): MessageTexts {
  const pick = (given: string | undefined, kept: string) =>
    given === undefined ? kept : clean(given);
  return {
    forge_msg: pick(general?.forge_msg, stored.forge_msg),
    invalid_version_msg: pick(general?.invalid_version_msg, stored.invalid_version_msg),
    rejoin_msg: pick(mitigation?.rejoin_msg, stored.rejoin_msg),
    bot_check_msg: pick(mitigation?.bot_check_msg, stored.bot_check_msg),
    cooldown_msg: pick(mitigation?.cooldown_msg, stored.cooldown_msg),
    max_connections_msg: pick(mitigation?.max_connections_msg, stored.max_connections_msg),
    secure_profiles_msg: pick(mitigation?.secure_profiles_msg, stored.secure_profiles_msg),
    vpn_msg: pick(mitigation?.vpn_msg, stored.vpn_msg),
    bot_name_msg: pick(mitigation?.bot_name_msg, stored.bot_name_msg),
    version_info: pick(offline?.version_info, stored.version_info),
    motd_line1: pick(offline?.motd_line1, stored.motd_line1),
    motd_line2: pick(offline?.motd_line2, stored.motd_line2),
    offline_info: pick(offline?.offline_info, stored.offline_info),
    offline_kick_msg: pick(offline?.offline_kick_msg, stored.offline_kick_msg),
    offline_image: image(offline?.offline_image, stored.offline_image),
    blacklist_msg: pick(firewall?.blacklist_msg, stored.blacklist_msg),
    whitelist_msg: pick(firewall?.whitelist_msg, stored.whitelist_msg),
  };
}

/** Absent keeps it, null removes it, as does what a form has in place of null: its word, or nothing. */
function image(given: string | null | undefined, kept: Buffer | null): Buffer | null {
  if (given === undefined) return kept;
  const isRemoved = given === null || given === "" || given === "null";
  return isRemoved ? null : redrawOfflineImage(given);
}

function dataUriOf(png: Buffer): string {
  return `data:image/png;base64,${png.toString("base64")}`;
}

/** Control characters mean nothing to the game, and PostgreSQL's text refuses NUL. */
function clean(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, "").trimEnd();
}

function present(stored: MessageTexts): ServerMessages {
  const { offline_image } = stored;
  return {
    general: {
      forge_msg: stored.forge_msg,
      invalid_version_msg: stored.invalid_version_msg,
    },
    mitigation: {
      rejoin_msg: stored.rejoin_msg,
      bot_check_msg: stored.bot_check_msg,
      cooldown_msg: stored.cooldown_msg,
      max_connections_msg: stored.max_connections_msg,
      secure_profiles_msg: stored.secure_profiles_msg,
      vpn_msg: stored.vpn_msg,
      bot_name_msg: stored.bot_name_msg,
    },
    offline: {
      version_info: stored.version_info,
      motd_line1: stored.motd_line1,
      motd_line2: stored.motd_line2,
      offline_info: stored.offline_info,
      offline_kick_msg: stored.offline_kick_msg,
      offline_image: offline_image === null ? null : dataUriOf(offline_image),
    },
    firewall: { blacklist_msg: stored.blacklist_msg, whitelist_msg: stored.whitelist_msg },
  };
}
