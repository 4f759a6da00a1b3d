import { partOf } from "./chart-geometry.ts";
import { drawingOf, plotWidth, type Drawing } from "./drawing.ts";
import type { ChartMark, ChartSeries, ChartTimes, SeriesColour } from "./series.ts";
import { timeTicks } from "./time-ticks.ts";

/** A chart as a picture for people who do not have the page: with its title, its legend and its axes. */

export interface PictureOptions {
  readonly title: string;
  /** The shield, and the period. */
  readonly subtitle: string;
  readonly times: ChartTimes;
  readonly series: readonly ChartSeries[];
  readonly marks: readonly ChartMark[];
  readonly hidden: ReadonlySet<string>;
  readonly isStacked: boolean;
  readonly isWhole: boolean;
  readonly format: (value: number) => string;
  readonly tickLabel: (timeMs: number, isDay: boolean) => string;
}

const width = 1200;
const height = 520;
const scale = 2;
const margin = 32;
const rowHeight = 22;
const plotBottom = 460;
const variables: Record<SeriesColour, string> = {
  accent: "--accent",
  protected: "--protected",
  attack: "--attack",
  danger: "--danger",
  violet: "--violet",
  cyan: "--cyan",
  pink: "--pink",
  neutral: "--line-control",
  previous: "--line-control",
};

/** Rejects where the browser cannot make a picture. */
export async function chartImage(options: PictureOptions): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("The browser has no canvas");
  const style = getComputedStyle(document.documentElement);
  const brush: Brush = {
    context,
    colour: (name) => style.getPropertyValue(name).trim(),
    font: (size, weight = 400) => {
      context.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
    },
  };
  context.scale(scale, scale);
  context.fillStyle = brush.colour("--panel");
  context.fillRect(0, 0, width, height);
  const top = drawWords(brush, options) + 26;
  const plot = { left: 96, top, width: 1068, height: plotBottom - top };
  const drawing = drawingOf({ ...options, height: plot.height });
  drawAxes(brush, drawing, plot, options);
  drawShapes(brush, drawing, plot, options);
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  canvas.toBlob((blob) => {
    if (blob === null) reject(new Error("The browser made no picture"));
    else resolve(blob);
  }, "image/png");
  return promise;
}

interface Brush {
  readonly context: CanvasRenderingContext2D;
  /** The value of a variable of the theme. */
  readonly colour: (name: string) => string;
  readonly font: (size: number, weight?: number) => void;
}

interface PlotBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Title and legend, which takes as many lines as it needs. Returns where it ends. */
function drawWords({ context, colour, font }: Brush, options: PictureOptions): number {
  font(20, 600);
  context.fillStyle = colour("--text");
  context.fillText(options.title, margin, 44);
  font(14);
  context.fillStyle = colour("--dim");
  context.fillText(options.subtitle, margin, 68);
  let x = margin;
  let y = 98;
  for (const { id, label, total, colour: name } of options.series) {
    if (options.hidden.has(id)) continue;
    const words = total === undefined ? label : `${label} ${total}`;
    const length = 18 + context.measureText(words).width;
    if (x > margin && x + length > width - margin) {
      x = margin;
      y += rowHeight;
    }
    context.fillStyle = colour(variables[name]);
    context.fillRect(x, y - 7, 12, 4);
    context.fillStyle = colour("--dim");
    context.fillText(words, x + 18, y);
    x += length + 24;
  }
  return y;
}

function drawAxes(
  { context, colour, font }: Brush,
  { axis }: Drawing,
  plot: PlotBox,
  options: PictureOptions,
): void {
  font(13);
  context.fillStyle = colour("--dim");
  context.strokeStyle = colour("--line");
  context.lineWidth = 1;
  context.textAlign = "right";
  for (const tick of axis.ticks) {
    const y = Math.round(plot.top + plot.height * (1 - tick / axis.top)) + 0.5;
    context.beginPath();
    context.moveTo(plot.left, y);
    context.lineTo(plot.left + plot.width, y);
    context.stroke();
    context.fillText(options.format(tick), plot.left - 12, y + 4);
  }
  context.textAlign = "center";
  const { times } = options;
  const ticks = timeTicks(times[0] ?? 0, times.at(-1) ?? 0, 8);
  for (const time of ticks.times) {
    const x = plot.left + partOf(time, times) * plot.width;
    context.fillText(options.tickLabel(time, ticks.areDays), x, plot.top + plot.height + 26);
  }
  context.textAlign = "left";
}

function drawShapes(
  { context, colour }: Brush,
  { shapes }: Drawing,
  plot: PlotBox,
  options: PictureOptions,
): void {
  context.save();
  context.translate(plot.left, plot.top);
  context.save();
  context.scale(plot.width / plotWidth, 1);
  for (const { colour: name, area } of shapes) {
    if (area === null) continue;
    context.globalAlpha = options.isStacked ? 0.5 : 0.14;
    context.fillStyle = colour(variables[name]);
    fillPath(context, new Path2D(area));
  }
  context.globalAlpha = 1;
  context.restore();
  // Scaled as a path, so that lines keep their width.
  const stretch = new DOMMatrix([plot.width / plotWidth, 0, 0, 1, 0, 0]);
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.lineCap = "round";
  for (const { colour: name, line } of shapes) {
    const path = new Path2D();
    path.addPath(new Path2D(line), stretch);
    context.strokeStyle = colour(variables[name]);
    context.setLineDash(name === "previous" ? [3, 6] : []);
    context.stroke(path);
  }
  drawMarks({ context, colour }, plot, options);
  context.restore();
}

function fillPath(context: CanvasRenderingContext2D, path: Path2D): void {
  context.fill(path);
}

function drawMarks(
  { context, colour }: Pick<Brush, "context" | "colour">,
  plot: PlotBox,
  { marks, times }: PictureOptions,
): void {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  for (const { kind, startMs, endMs } of marks) {
    const end = kind === "change" ? startMs : (endMs ?? last);
    if (end < first || startMs > last) continue;
    const from = partOf(startMs, times) * plot.width;
    if (kind === "attack") {
      const length = Math.max(2, partOf(end, times) * plot.width - from);
      context.fillStyle = colour("--attack");
      context.globalAlpha = 0.13;
      context.fillRect(from, 0, length, plot.height);
      context.globalAlpha = 1;
      context.fillRect(from, 0, length, 3);
    } else {
      context.strokeStyle = colour("--accent");
      context.setLineDash([3, 4]);
      context.stroke(new Path2D(`M${from} 0V${plot.height}`));
    }
  }
}
