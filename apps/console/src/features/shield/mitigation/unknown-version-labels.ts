import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { MitigationSettings } from "@palisade/contract/http/mitigation";

export const unknownVersionLabels: Readonly<
  Record<MitigationSettings["unknown_versions"], MessageDescriptor>
> = {
  nearest: msg`Check them like the nearest known version`,
  refuse: msg`Refuse them`,
};
