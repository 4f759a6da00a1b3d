import { Button, NativeSelect, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { createEdge } from "@palisade/contract/http/staff-edges";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { Banner } from "#src/ui/banner.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { locationsQuery } from "../locations/locations.queries.ts";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";
import classes from "./edges.module.css";

const initial: { readonly name: string; readonly location: string; readonly kind: "edge" | "dns" } =
  { name: "", location: "", kind: "edge" };

/** Asks for name and place, then shows the token for the only time. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [token, setToken] = useState<string | null>(null);
  const places = (useQuery(locationsQuery).data ?? []).filter(({ is_retired }) => !is_retired);
  if (token !== null) return <InvitedDialog token={token} onClose={onClose} />;
  return (
    <StaffFormDialog
      title={t`Invite edge`}
      action={t`Invite`}
      schema={createEdge.body}
      initial={initial}
      toBody={(body) => body}
      run={async (body) => {
        const { data } = await call(createEdge, { body });
        setToken(data.enrolment_token);
        return t`${data.edge.name} is invited`;
      }}
      onClose={onClose}
      // The dialog with the token follows.
      onDone={() => undefined}
    >
      {(field) => (
        <>
          <TextInput
            label={t`Name`}
            description={t`Lower-case letters, digits and hyphens, for example fra-1`}
            maxLength={64}
            autoComplete="off"
            {...field("name")}
          />
          <NativeSelect label={t`Location`} {...field("location")}>
            <option value="">{t`Choose a location`}</option>
            {places.map(({ name, en }) => (
              <option key={name} value={name}>
                {en} ({name})
              </option>
            ))}
          </NativeSelect>
          <NativeSelect label={t`Kind`} {...field("kind")}>
            <option value="edge">{t`Edge: takes players in`}</option>
            <option value="dns">{t`DNS server of the zone`}</option>
          </NativeSelect>
        </>
      )}
    </StaffFormDialog>
  );
}

function InvitedDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      opened
      title={t`Enrolment token`}
      actions={
        <Button onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      }
    >
      <p>
        <Trans>Start the edge with this token within 24 hours. It works once.</Trans>
      </p>
      <div className={`${classes["token"]} mono`}>
        {token}
        <CopyButton value={token} label={t`Copy the token`} />
      </div>
      <Banner tone="attack" icon={<IconAlertTriangle size={18} stroke={1.6} />}>
        <Trans>
          The token is shown only now. If it is lost, revoke the edge and invite it again.
        </Trans>
      </Banner>
    </Dialog>
  );
}
