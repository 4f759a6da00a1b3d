import { NativeSelect } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { shieldsQuery } from "../tickets.queries.ts";

/** Which shield the ticket is about. Left out for an account without any. */
export function ShieldField(props: ComponentProps<typeof NativeSelect>) {
  const { t } = useLingui();
  const shields = useQuery(shieldsQuery).data ?? [];
  const { value } = props;
  const isListed = value === "" || shields.some(({ id }) => id === value);
  if (shields.length === 0 && value === "") return null;
  return (
    <NativeSelect
      {...props}
      label={t`Game Shield (optional)`}
      data={[
        { value: "", label: t`Not about one Game Shield` },
        ...shields.map(({ id, server_name: label }) => ({ value: id, label })),
        // A link may name a shield before the list is read, or one that the list is too short for.
        ...(isListed ? [] : [{ value: String(value), label: t`The Game Shield you came from` }]),
      ]}
    />
  );
}
