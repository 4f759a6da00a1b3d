import { msg } from "@lingui/core/macro";
import type { AccountApiKey } from "@palisade/contract/http/account";

export const scopeLabels = {
  read: msg`Read only`,
  write: msg`Read and write`,
} satisfies Record<AccountApiKey["scope"], unknown>;
