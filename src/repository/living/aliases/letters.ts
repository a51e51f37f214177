/** Writes the letters in ASCII that a real site writes otherwise than the library does. */
import { once } from '../../../basics/once.ts';

/**
 * The letters that a real site writes otherwise than the library: each with what stands for it, in Latin letters, up to the next letter
 * that is none of ASCII. Found by asking a real site for each letter. Chinese characters are not among them.
 */
const letters = [
  // Latin
  '\u00ad-µm¼ 1/4½ 1/2¾ 3/4×*ÝYĸqŊNŋnǲDzẜsẝsẞSSỺLLỻllỼVỽvỾYỿy',
  // Greek
  'ͺiΒBβbϒYϓYϔYϲsϴTHϵeϷSϸsϹSϺSϻsὐyὑyὒyὓyὔyὕyὖyὗyὙYὛYὝYὟYὺy\u1f7byῠyῡyῢy\u1fe3yῦyῧyῨYῩYῪY\u1febY',
  // Cyrillic
  'ЀEЂDЃGЄEЅZЇIЉLЊNЋCЌKЏDХKHЩSCHхkhщschѐeђdѓgєeѕzїiљlњnћcќkџdӁZӂzӖEӗeӜZӝzӴCӵc',
  // Armenian and Hebrew
  'ԺZԽXԾCՁJՂGՃCՇSՌRժzխxծcձjղgճcշsռrևevוwחhץzצzשsװwwױwyײyy',
  // Arabic
  'أaإaاaةtع`غghىyژzhکk',
  // Syriac and Thaana
  'ܖdrށsދdތtޏnޗcޙhޛdhޝsޣg',
  // Devanagari and Bengali
  'आaईiऊuऍeऑoकkaखkhaगgaघghaङnaचcaछchaजjaझjhaञnaटtaठthaडdaढdhaणnaतtaथthaदdaधdhaनnaऩnaपpaफphaबbaभbhaमmaयyaरraऱraलla',
  "ळlaऴlaवvaशsaषsaसsaहha\u093ea\u0940i\u0949oॐ'om\u0958ka\u0959kha\u095aga\u095bja\u095cda\u095ddha\u095epha\u095fyaॠrॡl।.॥.\u0982mআaঈiঊuঌlকkaখkhaগga",
  'ঘghaঙnaচcaছchaজjaঝjhaঞnaটtaঠthaডdaঢdhaণnaতtaথthaদdaধdhaনnaপpaফphaবbaভbhaমmaযyaরraলlaশsaষsaসsaহha\u09bea\u09c0i',
  'ৎt\u09dcda\u09dddha\u09dfyaৠrৡlৰraৱra',
  // Georgian
  'ღghცtsძdzხkhჳuiჴq',
  // Marks
  '⁅[⁆]\u205f ₠CE₣Fr.₹Rs',
  // Symbols
  '℀a/c℁a/s℅c/o℆c/uℌx℞Rx\u2126O\u212aK\u212bAℰEℶbℷgℸd⅓ 1/3⅔ 2/3⅕ 1/5⅖ 2/5⅗ 3/5⅘ 4/5⅙ 1/6⅚ 5/6⅛ 1/8⅜ 3/8⅝ 5/8⅞ 7/8−-',
  // Kana
  '。.〇ling〉>》>>〕]〙]〛]〸shi〹nian〺saがkaぎkiぐkuげkeごkoざsaしshiじshiずsuぜseぞsoだtaちchiぢchiっ~tsuつtsuづtsuでteどtoばhaぱhaびhiぴhiふfu',
  'ぶfuぷfuべheぺheぼhoぽhoゔuガkaギkiグkuゲkeゴkoザsaシshiジshiズsuゼseゾsoダtaチchiヂchiッ~tsuツtsuヅtsuデteドtoバhaパhaビhiピhiフfuブfuプfuベhe',
  'ペheボhoポhoヴuヷwaヸwiヹweヺwo',
  // Gurmukhi and Gujarati
  'ਆaਈiਊuਏeਓoਕkaਖkhaਗgaਘghaਙnaਚcaਛchaਜjaਝjhaਞnaਟtaਠthaਡdaਢdhaਣnaਤtaਥthaਦdaਧdhaਨnaਪpaਫphaਬbaਭbhaਮmaਯyaਰraਲla\u0a33laਵva',
  '\u0a36saਸsaਹha\u0a3ea\u0a40i\u0a59kha\u0a5aga\u0a5bjaੜra\u0a5ephaઆaઈiઊuઌlઍeઑoકkaખkhaગgaઘghaઙnaચcaછchaજjaઝjhaઞnaટtaઠthaડdaઢdhaણnaતtaથtha',
  "દdaધdhaનnaપpaફphaબbaભbhaમmaરraલlaળlaવvaશsaષsaસsaહha\u0abea\u0ac0i\u0ac9oૐ'omૠrૡl",
  // Oriya and Tamil
  '\u0b02mଆaଈiଊuକkaଖkhaଗgaଘghaଙnaଚcaଛchaଜjaଝjhaଞnaଟtaଠthaଡdaଢdhaଣnaତtaଥthaଦdaଧdhaନnaପpaଫphaବbaଭbhaମmaଯyaରraଲlaଳla',
  'ଵvaଶsaଷsaସsaହha\u0b3ea\u0b40i\u0b48e\u0b5cda\u0b5ddhaୟyaୠrୡlୱwaஆaஈiஊuஏeஓoகkaஙnaசcaஜjaஞnaடtaணnaதtaநnaனnaபpaமmaயyaரraறra',
  'லlaளlaழlaவvaஶsaஷsaஸsaஹha\u0bbea\u0bc2u\u0bc7e\u0bcbo',
  // Telugu and Kannada
  '\u0c01m\u0c02mఆaఈiఊuఏeఓoకkaఖkhaగgaఘghaఙnaచcaఛchaజjaఝjhaఞnaటtaఠthaడdaఢdhaణnaతtaథthaదdaధdhaనnaపpaఫphaబbaభbhaమma',
  'యyaరraఱraలlaళlaవvaశsaషsaసsaహha\u0c42u\u0c44lౠrౡl\u0c82mಆaಈiಊuಏeಓoಕkaಖkhaಗgaಘghaಙnaಚcaಛchaಜjaಝjhaಞnaಟtaಠthaಡda',
  'ಢdhaಣnaತtaಥthaದdaಧdhaನnaಪpaಫphaಬbaಭbhaಮmaಯyaರraಱraಲlaಳlaವvaಶsaಷsaಸsaಹha\u0cbea\u0cc2u\u0cc4l\u0ccau\u0ccbuೞla',
  'ೠrೡl',
  // Malayalam and Sinhala
  '\u0d02mആaഈiഊuഏeഓoകkaഖkhaഗgaഘghaങnaചcaഛchaജjaഝjhaഞnaടtaഠthaഡdaഢdhaണnaതtaഥthaദdaധdhaനnaപpaഫphaബbaഭbhaമmaയyaരra',
  'റraലlaളlaഴlaവvaശsaഷsaസsaഹha\u0d3ea\u0d40i\u0d47e\u0d4aea\u0d4bea\u0d4ceൠrൡl',
  // Thai and Lao
  'จcซsฤvอxาaำaใiไiๅi๚||๛>>',
].join('');

/** The parts of a syllable of Hangul, in the order of Unicode (chapter 3.12). */
const initials = 'g,kk,n,d,tt,l,m,b,pp,s,ss,,j,jj,ch,k,t,p,h'.split(',');
const vowels = 'a,ae,ya,yae,eo,e,yeo,ye,o,wa,wae,oe,yo,u,wo,we,wi,yu,eu,ui,i'.split(',');
const finals = ',g,kk,gs,n,nj,nh,d,l,lg,lm,lb,ls,lt,lp,lh,m,b,bs,s,ss,ng,j,ch,k,t,p,h'.split(',');

const syllable = (letter: string): string => {
  const at = (letter.codePointAt(0) ?? 0) - 0xac00;
  const perInitial = vowels.length * finals.length;
  const [initial, vowel] = [Math.floor(at / perInitial), Math.floor((at % perInitial) / finals.length)];
  return `${initials[initial] ?? ''}${vowels[vowel] ?? ''}${finals[at % finals.length] ?? ''}`;
};

const known = once(
  () =>
    new Map(
      Array.from(letters.matchAll(/([^\x00-\x7f])([\x00-\x7f]*)/gu), ([, letter = '', latin = '']) => [letter, latin]),
    ),
);

/** The text with those letters written as a real site writes them. All others stay. */
export const withOwnLetters = (text: string): string =>
  text.replace(/[\uac00-\ud7a3]/g, syllable).replace(/[^\x00-\x7f]/gu, (letter) => known().get(letter) ?? letter);
