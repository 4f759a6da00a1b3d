import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ClipboardEvent } from "react";
import { parseBackendAddress } from "#src/lib/backend-address.ts";
import { addressFields } from "#src/ui/address-fields.ts";
import { FieldError } from "#src/ui/field-error.tsx";
import { ProbePanel } from "./probe-panel.tsx";
import classes from "./setup.module.css";
import { StepFrame } from "./step-frame.tsx";
import { useStep } from "./use-step.ts";

export function BackendStep() {
  const { t } = useLingui();
  const step = useStep("backend");
  const { error: addressError, ...address } = step.field("real_ip");
  const { error: portError, ...port } = step.field("real_port");

  /** Fills both fields from `address:port`, as people paste and type it. */
  function takePort(text: string): boolean {
    const split = parseBackendAddress(text);
    if (!split) return false;
    step.change("real_ip", split.host);
    step.change("real_port", String(split.port));
    return true;
  }

  return (
    <StepFrame
      title={<Trans>Add server IP</Trans>}
      description={<Trans>The address your game server has today. Players never see it.</Trans>}
      onNext={() => {
        // Enter leaves the field without a blur.
        takePort(step.draft.real_ip);
        if (!step.isRefused(["real_ip", "real_port"])) step.next();
      }}
      onBack={step.back}
      problem={step.wrong ? t`Please enter valid data` : null}
    >
      <div className={classes["fields"]}>
        <div className={addressFields.row}>
          <TextInput
            {...address}
            error={addressError ? <FieldError text={addressError} /> : undefined}
            label={t`Real IP`}
            placeholder="203.0.113.5"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            classNames={addressFields.field}
            onPaste={(event: ClipboardEvent) => {
              if (takePort(event.clipboardData.getData("text"))) event.preventDefault();
            }}
            onBlur={() => {
              address.onBlur();
              takePort(address.value);
            }}
          />
          <TextInput
            {...port}
            error={portError ? <FieldError text={portError} /> : undefined}
            label={t`Real port`}
            inputMode="numeric"
            autoComplete="off"
            classNames={addressFields.field}
          />
        </div>
        <ProbePanel draft={step.draft} />
      </div>
    </StepFrame>
  );
}
