/** Lists the commands of the program. */
import { addCheck } from './check.ts';
import { addCollection } from './collection/collection.ts';
import { addEnv } from './remote/env.ts';
import { addExec } from './exec.ts';
import { addExport } from './export.ts';
import { addFaultCatalogue } from './remote/faults.ts';
import { addFixture } from './fixture.ts';
import { addHashPassword } from './hash-password.ts';
import { addImport } from './import.ts';
import { addLinksAudit } from './remote/links-audit.ts';
import { addLs } from './remote/list-records.ts';
import { addControlCommands } from './remote/control-commands.ts';
import { addCoverage } from './remote/coverage.ts';
import { addDemo } from './demo/demo.ts';
import { addMcp } from './mcp.ts';
import { addRecording } from './recording/recording.ts';
import { addPrepare } from './site/prepare.ts';
import { addSite } from './site/site.ts';
import { addDiff } from './target/diff.ts';
import { addProxy } from './target/proxy.ts';
import { addServe } from './serve.ts';
import { addToken } from './remote/token.ts';
import { addTraffic } from './remote/traffic.ts';
import { addTwin } from './target/twin.ts';
import { addVerify } from './target/verify.ts';
import type { AddCommand } from './command-context.ts';

/** In the order of `atoll --help`. */
export const commands: readonly AddCommand[] = [
  addServe,
  addExec,
  addEnv,
  addToken,
  addLinksAudit,
  addLs,
  addExport,
  addImport,
  addFixture,
  addRecording,
  addCheck,
  addHashPassword,
  addSite,
  addDemo,
  addPrepare,
  addCollection,
  addDiff,
  addProxy,
  addTwin,
  addMcp,
  addTraffic,
  addCoverage,
  addControlCommands,
  addFaultCatalogue,
  addVerify,
];
