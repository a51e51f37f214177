/** The parts of the rim that agents have tools of, each in one line. A part can be deleted together with its line and its room here. */
import type { SiteLocations } from './session/session.ts';
import type { Tool } from './tool.ts';

type ToolPart = { readonly tools: readonly Tool[] };

type ChecksPart = ToolPart & {
  readonly readRules: (section: string | undefined, locations: SiteLocations) => Promise<string | undefined>;
};

type Rim = {
  readonly checks?: () => Promise<ChecksPart>;
  readonly sites?: () => Promise<ToolPart>;
};

export const rim: Rim = {
  checks: () => import('./checks/part.ts'),
  sites: () => import('./sites/part.ts'),
};
