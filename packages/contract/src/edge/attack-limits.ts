/**
 * Bounds of an attack's description. They stand apart from its schemas, which the worker threads of
 * an edge do not load.
 */

/** Seconds that one point of a course covers; each is a multiple of the one before. */
export const courseSteps = [1, 10, 60, 600, 3_600] as const;
export type CourseStep = (typeof courseSteps)[number];
/** A course that is longer gets the next step. */
export const coursePointsMax = 300;
/** Entries of each list of sources and names in a report. */
export const attackTopMax = 50;
export const levelChangesMax = 20;
export const levelCauses = ["start", "owner", "relaxed", "end"] as const;
