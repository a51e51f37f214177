/**
 * Preloaded into a process: its clock goes ahead by ATOLL_TEST_SKEW milliseconds, as that of a machine that is set wrong. At SIGUSR2 the
 * clock jumps: the file ATOLL_TEST_JUMP says how far ahead it goes from now on.
 */
import { readFileSync } from 'node:fs';

let skew = Number(process.env.ATOLL_TEST_SKEW ?? 0);
const jump = process.env.ATOLL_TEST_JUMP;
if (jump !== undefined) process.on('SIGUSR2', () => (skew = Number(readFileSync(jump, 'utf8'))));
const RealDate = Date;

class SkewedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + skew);
    else super(...given);
  }

  static now() {
    return RealDate.now() + skew;
  }
}

// `Date()` without `new` answers a text.
globalThis.Date = new Proxy(SkewedDate, { apply: () => new SkewedDate().toString() });
