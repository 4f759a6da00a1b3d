import { useLingui } from "@lingui/react/macro";

/** Names of a DNS record's fields, as DNS providers use them. */
export function useRecordLabels() {
  const { t } = useLingui();
  return {
    service: t`Service`,
    protocol: t`Protocol`,
    name: t({ message: "Name", context: "DNS record" }),
    priority: t`Priority`,
    weight: t`Weight`,
    port: t`Port`,
    target: t`Target`,
    value: t`Value`,
  };
}
