import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { QuarantineReason } from "@palisade/contract/http/staff-mails";

export const reasonLabels: Record<QuarantineReason, MessageDescriptor> = {
  wrong_sender: msg`Not from the account's address`,
  wrong_address: msg`Its reply address is not valid`,
  too_many: msg`More than 20 mails within an hour`,
  unreadable: msg`Broken or hostile`,
};
