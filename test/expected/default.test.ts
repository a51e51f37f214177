/** The default site answers as the contract, the recordings and the decisions say: `default/*.yml`. */
import { testAnswers } from './answers.ts';

testAnswers('default', async () => ({}));
