import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconArrowLeft, IconArrowRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./step-frame.module.css";

interface StepFrameProps {
  readonly title: ReactNode;
  readonly description: ReactNode;
  /** Runs on Next and on Enter in a field. */
  readonly onNext: () => void;
  readonly onBack?: (() => void) | undefined;
  readonly busy?: boolean;
  readonly blocked?: boolean;
  /** Replaces 'Next'. */
  readonly nextLabel?: ReactNode;
  /** A second button beside the main one. */
  readonly secondaryAction?: ReactNode;
  /** Why Next did nothing; announced at once. */
  readonly problem?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every step: a heading that takes the focus, the content, and the buttons. */
export function StepFrame(props: StepFrameProps) {
  const { t } = useLingui();
  return (
    <form
      noValidate
      className={classes["frame"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (props.busy !== true && props.blocked !== true) props.onNext();
      }}
    >
      <Panel className={classes["panel"]}>
        <h2 id="step-title" tabIndex={-1} className={classes["title"]}>
          {props.title}
        </h2>
        <p className={classes["note"]}>{props.description}</p>
        {props.children}
      </Panel>
      <p className={classes["problem"]} role="alert">
        {props.problem}
      </p>
      <div
        className={classes["ways"]}
        role="group"
        aria-label={t`Previous and next step`}
        data-three={props.secondaryAction ? true : undefined}
      >
        {props.onBack ? (
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} stroke={1.6} aria-hidden="true" />}
            onClick={props.onBack}
            disabled={props.busy ?? false}
          >
            <Trans>Back</Trans>
          </Button>
        ) : null}
        <span className={classes["gap"]} />
        {props.secondaryAction}
        <Button
          type="submit"
          // A field that lost the focus would show its error, and the button would move from under
          // the pointer before the click.
          onMouseDown={(event) => event.preventDefault()}
          loading={props.busy ?? false}
          disabled={props.blocked ?? false}
          rightSection={
            props.nextLabel ? null : <IconArrowRight size={16} stroke={1.6} aria-hidden="true" />
          }
        >
          {props.nextLabel ?? <Trans>Next</Trans>}
        </Button>
      </div>
    </form>
  );
}
