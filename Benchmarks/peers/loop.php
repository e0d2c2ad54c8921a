<?php
// The least that a payment costs in PHP: one handle that is kept alive; a message is encoded, sent, and its reply decoded;
// result and amount are compared. Nothing else: no journal, no classes, no second look at anything.
//
// The first line of standard input is the work in JSON; each further line is a number of payments to make, which is
// answered by a line with what they cost.
$work = json_decode(fgets(STDIN), true);
$message = $work['body'];
$curl = curl_init($work['url']);
curl_setopt_array($curl, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_ENCODING => '',
    CURLOPT_HTTPHEADER => $work['fields'],
]);

function microseconds(): int
{
    $usage = getrusage();
    return ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1_000_000
        + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
}

function switches(): int
{
    $usage = getrusage();
    return $usage['ru_nvcsw'] + $usage['ru_nivcsw'];
}

$number = 0;
while (($line = fgets(STDIN)) !== false) {
    [$count, $cost, $switched, $start] = [(int) $line, microseconds(), switches(), hrtime(true)];
    for ($place = 0; $place < $count; $place++) {
        $number++;
        $message['SaleToPOIRequest']['MessageHeader']['ServiceID'] = sprintf('p%09d', $number);
        $message['SaleToPOIRequest']['PaymentRequest']['SaleData']['SaleTransactionID']['TransactionID'] = "php-$number";
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($message));
        $reply = json_decode(curl_exec($curl), true);
        $answer = $reply['SaleToPOIResponse']['PaymentResponse'];
        if (
            $answer['Response']['Result'] !== 'Success'
            || $answer['PaymentResult']['AmountsResp']['AuthorizedAmount']
                !== $message['SaleToPOIRequest']['PaymentRequest']['PaymentTransaction']['AmountsReq']['RequestedAmount']
        ) {
            exit(1);
        }
    }
    echo json_encode([
        'time' => intdiv(hrtime(true) - $start, 1_000),
        'cost' => microseconds() - $cost,
        'switches' => switches() - $switched,
    ]), "\n";
}
