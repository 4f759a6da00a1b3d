import { Trans, useLingui } from "@lingui/react/macro";
import { setBedrockDefault, type StaffShieldDetails } from "@palisade/contract/http/staff-shields";
import { call } from "#src/api/client.ts";
import { Panel } from "#src/ui/panel.tsx";
import parts from "../parts/parts.module.css";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";

export function BedrockPanel({ shield }: { readonly shield: StaffShieldDetails }) {
  const { default_granted: isGranted, ports } = shield.bedrock;
  return (
    <Panel title={<Trans>Bedrock</Trans>} prominent>
      <dl className={parts["facts"]}>
        <dt>
          <Trans>Default port</Trans>
        </dt>
        <dd>{isGranted ? <Trans>Granted</Trans> : <Trans>Not granted</Trans>}</dd>
        <dt>
          <Trans>Ports</Trans>
        </dt>
        <dd className="mono">{ports.length === 0 ? "–" : ports.join(", ")}</dd>
      </dl>
    </Panel>
  );
}

interface BedrockDialogProps {
  readonly shield: StaffShieldDetails;
  readonly onClose: () => void;
}

/** Grants the right to the default port, or takes it away. */
export function BedrockDialog({ shield, onClose }: BedrockDialogProps) {
  const { t } = useLingui();
  const granted = !shield.bedrock.default_granted;
  return (
    <StaffFormDialog
      title={granted ? t`Grant the default port` : t`Take away the default port`}
      action={granted ? t`Grant` : t`Take away`}
      danger={!granted}
      schema={setBedrockDefault.body}
      initial={{ granted }}
      toBody={({ reason }) => ({ granted, reason })}
      run={async (body) =>
        (await call(setBedrockDefault, { params: { shieldId: shield.id }, body })).data.message
      }
      onClose={onClose}
    >
      {() => (
        <p>
          {granted ? (
            <Trans>
              The owner can add the default Bedrock port then. In each location, one shield has it.
            </Trans>
          ) : (
            <Trans>
              If the shield has the default Bedrock port, edges close it at once. Another shield may
              have it after a day.
            </Trans>
          )}
        </p>
      )}
    </StaffFormDialog>
  );
}
