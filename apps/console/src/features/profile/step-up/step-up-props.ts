export interface StepUpProps {
  readonly onConfirmed: () => void;
  readonly onDeclined: () => void;
}
