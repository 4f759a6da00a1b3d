import { Checkbox } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { drainEdge, revokeEdge, type StaffEdge } from "@palisade/contract/http/staff-edges";
import { call } from "#src/api/client.ts";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";

interface EdgeDialogProps {
  readonly edge: StaffEdge;
  readonly onClose: () => void;
}

export function DrainDialog({ edge, onClose }: EdgeDialogProps) {
  const { t } = useLingui();
  const { name, drained } = edge;
  return (
    <StaffFormDialog
      title={drained ? t`Send players to ${name} again` : t`Drain ${name}`}
      action={drained ? t`End draining` : t`Drain`}
      schema={drainEdge.body}
      initial={{ even_last: false }}
      toBody={(values) => ({ ...values, drained: !drained })}
      run={async (body) =>
        (await call(drainEdge, { params: { edgeId: edge.id }, body })).data.message
      }
      onClose={onClose}
    >
      {(field) =>
        drained ? (
          <p>
            <Trans>DNS names the edge again within a minute, and new players come to it.</Trans>
          </p>
        ) : (
          <>
            <p>
              <Trans>
                DNS stops naming the edge within a minute. Players who are on it stay until they
                leave: wait until there are none, then stop it.
              </Trans>
            </p>
            <Checkbox
              label={t`Even if no other edge of the location takes new players`}
              {...field("even_last", { type: "checkbox" })}
            />
          </>
        )
      }
    </StaffFormDialog>
  );
}

export function RevokeDialog({ edge, onClose }: EdgeDialogProps) {
  const { t } = useLingui();
  const { name } = edge;
  return (
    <StaffFormDialog
      title={t`Revoke ${name}`}
      action={t`Revoke`}
      danger
      schema={revokeEdge.body}
      initial={{}}
      toBody={({ reason }) => ({ reason })}
      run={async (body) =>
        (await call(revokeEdge, { params: { edgeId: edge.id }, body })).data.message
      }
      onClose={onClose}
    >
      {() => (
        <p>
          <Trans>
            Its credential stops working at once, and the shields of its location get new keys. It
            can only come back by a new invitation. To take it down for a while, drain it.
          </Trans>
        </p>
      )}
    </StaffFormDialog>
  );
}
