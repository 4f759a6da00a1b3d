import { Trans, useLingui } from "@lingui/react/macro";
import type { DomainSetup } from "@palisade/contract/http/domains";
import { DnsRecord } from "#src/ui/dns-record.tsx";
import { useRecordLabels } from "#src/ui/record-labels.ts";
import classes from "./domains.module.css";

export type RecordType = "CNAME" | "SRV" | "TXT";

interface RecordFieldsProps {
  readonly type: RecordType;
  readonly info: DomainSetup["setup_info"];
}

export function RecordFields({ type, info }: RecordFieldsProps) {
  const { t } = useLingui();
  const labels = useRecordLabels();
  return (
    <>
      <p className={classes["lead"]}>
        <Lead type={type} isWildcard={info.srv_record === null} />
      </p>
      <DnsRecord
        type={type}
        parts={fieldsOf(type, info).map(([part, value]) => {
          const label = labels[part];
          return { label, value, copy: t`Copy ${type}: ${label}` };
        })}
      />
    </>
  );
}

function Lead({ type, isWildcard }: { type: RecordType; isWildcard: boolean }) {
  if (type === "SRV") {
    return <Trans>Leads Java players to the shield, even if the domain has other records.</Trans>;
  }
  if (type === "CNAME") return <Trans>Leads players to the shield.</Trans>;
  if (isWildcard)
    return <Trans>Proves the domain is yours. A wildcard requires this record.</Trans>;
  return <Trans>Proves the domain is yours if you keep your own address records.</Trans>;
}

type FieldName = keyof ReturnType<typeof useRecordLabels>;

function fieldsOf(
  type: RecordType,
  info: DomainSetup["setup_info"],
): (readonly [FieldName, string])[] {
  const { cname_record: cname, srv_record: srv, txt_record: txt } = info;
  if (type === "TXT") {
    return [
      ["name", txt.name],
      ["value", txt.value],
    ];
  }
  if (type === "CNAME" || srv === null) {
    return [
      ["name", cname.name],
      ["target", cname.value],
    ];
  }
  const { parts } = srv;
  return [
    ["service", parts.service],
    ["protocol", parts.protocol],
    ["name", parts.name],
    ["priority", String(parts.priority)],
    ["weight", String(parts.weight)],
    ["port", String(parts.port)],
    ["target", parts.target],
  ];
}
