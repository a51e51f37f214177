/** The milliseconds for which this process has worked, in all its threads. A page is not told: there it is the time that has passed. */
export const workedMs = (): number => {
  if (typeof process === 'undefined') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
