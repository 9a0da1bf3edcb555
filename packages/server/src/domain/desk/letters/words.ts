/** The words of letters, in the languages of the console: a subject and a sentence for each kind. */
import type { Preferences } from '@dragoman/contract'

export type LetterKind =
  | 'newWork'
  | 'given'
  | 'rejected'
  | 'planned'
  | 'cancelled'
  | 'delivered'
  | 'finished'
  | 'question'
  | 'answered'
  | 'late'
  | 'dueTomorrow'
  | 'digest'
  | 'invited'
export type LetterLanguage = NonNullable<Preferences['language']>
type Words = Readonly<Record<LetterKind, readonly [subject: string, says: string]>> & {
  readonly several: string
  /** What stands before the colon of a line. */
  readonly labels: Readonly<Record<Label, string>>
  readonly colon: string
}
export type Label =
  | 'job'
  | 'requests'
  | 'words'
  | 'due'
  | 'mine'
  | 'open'
  | 'review'
  | 'work'
  | 'page'
  | 'asked'

export const letterWords: Readonly<Record<LetterLanguage, Words>> = {
  en: {
    newWork: ['New work: {name}', 'Nobody has claimed this work yet.'],
    given: ['Work for you: {name}', 'Somebody gave you this work.'],
    rejected: [
      'Rejected: {name}',
      'A reviewer rejected work of yours; it is to be delivered again.',
    ],
    planned: ['New plan: {name}', 'The due date or the description of this job has changed.'],
    cancelled: [
      'Cancelled: {name}',
      'This job was cancelled. What you hold of it need not be delivered.',
    ],
    delivered: [
      'Delivered: {name}',
      'Translations of this job were delivered and wait for a review.',
    ],
    finished: ['Finished: {name}', 'Nothing of this job is open any more.'],
    question: ['Question: {name}', 'Somebody asked a question about this job.'],
    answered: ['Answered: {name}', 'Your question about this job was answered.'],
    late: ['Late: {name}', 'These jobs on {site} are late:'],
    dueTomorrow: ['Due tomorrow: {name}', 'Work of yours on {site} is due tomorrow:'],
    digest: ['Your work on {site}', 'Your work today:'],
    invited: [
      'Your invitation to {site}',
      'Open this link within a day, and choose a password or a passkey:',
    ],
    several: '{many} jobs',
    labels: {
      job: 'Job',
      requests: 'Requests',
      words: 'Words',
      due: 'Due',
      mine: 'Claimed by you',
      open: 'Claimed by nobody',
      review: 'Waiting for your review',
      work: 'Your work',
      page: 'The job',
      asked: 'You asked for this message. Change that here',
    },
    colon: ': ',
  },
  de: {
    newWork: ['Neue Arbeit: {name}', 'Diese Arbeit hat noch niemand übernommen.'],
    given: ['Arbeit für Sie: {name}', 'Jemand hat Ihnen diese Arbeit gegeben.'],
    rejected: [
      'Abgelehnt: {name}',
      'Bei der Prüfung wurde Arbeit von Ihnen abgelehnt; sie ist noch einmal zu liefern.',
    ],
    planned: [
      'Neuer Plan: {name}',
      'Der Termin oder die Beschreibung dieses Auftrags hat sich geändert.',
    ],
    cancelled: [
      'Storniert: {name}',
      'Dieser Auftrag wurde storniert. Was Sie davon haben, muss nicht geliefert werden.',
    ],
    delivered: [
      'Geliefert: {name}',
      'Übersetzungen dieses Auftrags wurden geliefert und warten auf die Prüfung.',
    ],
    finished: ['Fertig: {name}', 'An diesem Auftrag ist nichts mehr offen.'],
    question: ['Frage: {name}', 'Jemand hat eine Frage zu diesem Auftrag gestellt.'],
    answered: ['Beantwortet: {name}', 'Ihre Frage zu diesem Auftrag wurde beantwortet.'],
    late: ['Verspätet: {name}', 'Diese Aufträge auf {site} sind verspätet:'],
    dueTomorrow: ['Morgen fällig: {name}', 'Arbeit von Ihnen auf {site} ist morgen fällig:'],
    digest: ['Ihre Arbeit auf {site}', 'Ihre Arbeit heute:'],
    invited: [
      'Ihre Einladung zu {site}',
      'Öffnen Sie diesen Link innerhalb eines Tages und wählen Sie ein Passwort oder einen Passkey:',
    ],
    several: '{many} Aufträge',
    labels: {
      job: 'Auftrag',
      requests: 'Anfragen',
      words: 'Wörter',
      due: 'Fällig',
      mine: 'Von Ihnen übernommen',
      open: 'Von niemandem übernommen',
      review: 'Wartet auf Ihre Prüfung',
      work: 'Ihre Arbeit',
      page: 'Der Auftrag',
      asked: 'Sie haben um diese Nachricht gebeten. Hier ändern Sie das',
    },
    colon: ': ',
  },
  fr: {
    newWork: ['Nouveau travail : {name}', 'Personne n’a encore pris ce travail.'],
    given: ['Du travail pour vous : {name}', 'Quelqu’un vous a confié ce travail.'],
    rejected: [
      'Rejeté : {name}',
      'La relecture a rejeté un travail de votre part ; il est à livrer de nouveau.',
    ],
    planned: ['Nouveau planning : {name}', 'L’échéance ou la description de ce projet a changé.'],
    cancelled: [
      'Annulé : {name}',
      'Ce projet a été annulé. Ce que vous en avez n’est plus à livrer.',
    ],
    delivered: [
      'Livré : {name}',
      'Des traductions de ce projet ont été livrées et attendent une relecture.',
    ],
    finished: ['Terminé : {name}', 'Plus rien n’est ouvert dans ce projet.'],
    question: ['Question : {name}', 'Quelqu’un a posé une question sur ce projet.'],
    answered: ['Réponse : {name}', 'Votre question sur ce projet a reçu une réponse.'],
    late: ['En retard : {name}', 'Ces projets de {site} sont en retard :'],
    dueTomorrow: [
      'À rendre demain : {name}',
      'Un travail de votre part sur {site} est à rendre demain :',
    ],
    digest: ['Votre travail sur {site}', 'Votre travail aujourd’hui :'],
    invited: [
      'Votre invitation à {site}',
      'Ouvrez ce lien dans la journée et choisissez un mot de passe ou une clé d’accès :',
    ],
    several: '{many} projets',
    labels: {
      job: 'Projet',
      requests: 'Demandes',
      words: 'Mots',
      due: 'Échéance',
      mine: 'Pris par vous',
      open: 'Pris par personne',
      review: 'En attente de votre relecture',
      work: 'Votre travail',
      page: 'Le projet',
      asked: 'Vous avez demandé ce message. Pour changer cela',
    },
    colon: ' : ',
  },
  es: {
    newWork: ['Trabajo nuevo: {name}', 'Nadie ha tomado todavía este trabajo.'],
    given: ['Trabajo para usted: {name}', 'Alguien le ha dado este trabajo.'],
    rejected: [
      'Rechazado: {name}',
      'En la revisión se rechazó un trabajo suyo; hay que entregarlo de nuevo.',
    ],
    planned: ['Plan nuevo: {name}', 'Ha cambiado la fecha o la descripción de este proyecto.'],
    cancelled: [
      'Cancelado: {name}',
      'Este proyecto se canceló. Lo que usted tiene de él no hay que entregarlo.',
    ],
    delivered: [
      'Entregado: {name}',
      'Se entregaron traducciones de este proyecto, que esperan una revisión.',
    ],
    finished: ['Terminado: {name}', 'Ya no queda nada abierto en este proyecto.'],
    question: ['Pregunta: {name}', 'Alguien hizo una pregunta sobre este proyecto.'],
    answered: ['Respondida: {name}', 'Su pregunta sobre este proyecto tiene respuesta.'],
    late: ['Con retraso: {name}', 'Estos proyectos de {site} van con retraso:'],
    dueTomorrow: ['Para mañana: {name}', 'Un trabajo suyo en {site} es para mañana:'],
    digest: ['Su trabajo en {site}', 'Su trabajo de hoy:'],
    invited: [
      'Su invitación a {site}',
      'Abra este enlace antes de un día y elija una contraseña o una llave de acceso:',
    ],
    several: '{many} proyectos',
    labels: {
      job: 'Proyecto',
      requests: 'Solicitudes',
      words: 'Palabras',
      due: 'Fecha',
      mine: 'Tomado por usted',
      open: 'Sin tomar',
      review: 'Espera su revisión',
      work: 'Su trabajo',
      page: 'El proyecto',
      asked: 'Usted pidió este mensaje. Para cambiarlo',
    },
    colon: ': ',
  },
  ja: {
    newWork: ['新しい作業: {name}', 'この作業はまだ誰も引き受けていません。'],
    given: ['あなたの作業: {name}', 'この作業があなたに割り当てられました。'],
    rejected: ['差し戻し: {name}', 'あなたの訳文が差し戻されました。もう一度納品してください。'],
    planned: ['計画の変更: {name}', 'このジョブの期限または説明が変わりました。'],
    cancelled: ['キャンセル: {name}', 'このジョブはキャンセルされました。納品は不要です。'],
    delivered: ['納品: {name}', 'このジョブの訳文が納品され、レビューを待っています。'],
    finished: ['完了: {name}', 'このジョブに残っている作業はありません。'],
    question: ['質問: {name}', 'このジョブについて質問がありました。'],
    answered: ['回答: {name}', 'このジョブについての質問に回答がありました。'],
    late: ['遅延: {name}', '{site} の次のジョブが遅れています。'],
    dueTomorrow: ['明日が期限: {name}', '{site} でのあなたの作業は明日が期限です。'],
    digest: ['{site} でのあなたの作業', '今日の作業:'],
    invited: [
      '{site} への招待',
      '1 日以内にこのリンクを開き、パスワードまたはパスキーを設定してください。',
    ],
    several: '{many} 件のジョブ',
    labels: {
      job: 'ジョブ',
      requests: '依頼',
      words: '語数',
      due: '期限',
      mine: '引き受け済み',
      open: '未引き受け',
      review: 'レビュー待ち',
      work: 'あなたの作業',
      page: 'ジョブのページ',
      asked: 'このメッセージはあなたの設定で送られています。変更はこちら',
    },
    colon: ': ',
  },
  ar: {
    newWork: ['عمل جديد: {name}', 'لم يستلم أحد هذا العمل بعد.'],
    given: ['عمل لك: {name}', 'أعطاك أحدهم هذا العمل.'],
    rejected: ['مرفوض: {name}', 'رفض المراجع عملًا لك، ويجب تسليمه مرة أخرى.'],
    planned: ['خطة جديدة: {name}', 'تغيّر موعد هذه المهمة أو وصفها.'],
    cancelled: ['ملغاة: {name}', 'أُلغيت هذه المهمة، ولا حاجة إلى تسليم ما لديك منها.'],
    delivered: ['تم التسليم: {name}', 'سُلّمت ترجمات من هذه المهمة وهي تنتظر المراجعة.'],
    finished: ['انتهت: {name}', 'لم يبق شيء مفتوح في هذه المهمة.'],
    question: ['سؤال: {name}', 'طرح أحدهم سؤالًا عن هذه المهمة.'],
    answered: ['تمت الإجابة: {name}', 'أُجيب عن سؤالك حول هذه المهمة.'],
    late: ['متأخرة: {name}', 'هذه المهام في {site} متأخرة:'],
    dueTomorrow: ['موعدها غدًا: {name}', 'لديك عمل في {site} موعده غدًا:'],
    digest: ['عملك في {site}', 'عملك اليوم:'],
    invited: ['دعوتك إلى {site}', 'افتح هذا الرابط خلال يوم واختر كلمة مرور أو مفتاح مرور:'],
    several: '{many} مهام',
    labels: {
      job: 'المهمة',
      requests: 'الطلبات',
      words: 'الكلمات',
      due: 'الموعد',
      mine: 'استلمتَه',
      open: 'لم يستلمه أحد',
      review: 'ينتظر مراجعتك',
      work: 'عملك',
      page: 'صفحة المهمة',
      asked: 'طلبتَ هذه الرسالة. لتغيير ذلك',
    },
    colon: ': ',
  },
}
