internal import PaymentProviderKit

/// The names that the documents have for members of messages.
enum EcommpayMembers {
    static let known = KnownFields(names, open: open)

    /// Members whose own members have names that nobody lists, or that only some projects have.
    private static let open = """
        params errors strings logos fields additional_fields additional_data threeds clarification_fields
        provider_extra_fields receipt_data booking_info addendum translations redirectData redirect_data display_data
        avs_result interface_type body encrypted
        """

    private static let names = """
        acceptance accept accept_header account account_id account_token accounts acs acs_return_url acs_url action
        additional additional_data additional_fields addendum address address_match amount attempts_timeout auth_code
        AuthCode authentication_data avs_data avs_post_code avs_result avs_street_address bank_name best_before billing
        birthplace body booking_info brand browser callback card card_holder card_types cascading_with_redirect city
        clarification_fields code color_depth constraint country created_at created_date cres currency customer customer_amount
        customer_currency customer_fields customer_id cvv date day_of_birth decision decline delay description
        destination display_data ds_operation_id eci email encrypted endpoint_id environment errors exp_month exp_year expiry
        expiry_day expiry_month expiry_year extra_param field fields first_name force_disable force_payment_method
        frame_mode general gift_card hide_saved_wallets hint holder icon_url id identify iframe interface_type
        interval ip_address is_hidden is_new_attempts_available is_required is_tokenize java_enabled js_enabled label
        language language_code last_deposit_date last_name last_payment_at last_payout_date last_tokenize_date logos mcc md merchant
        merchant_callback_url merchant_id merchant_refund_id message method middle_name month moto_type mpi_result name number
        operation operation_fee operation_type operations options originator pa_req pan params pares payment payment_amount
        payment_currency payment_description payment_id payment_methods payment_system_id payment_token
        payment_url period period_interval phone postal product_name project_id provider provider_extra_fields provider_id qr_code
        receipt_data recipient recurring recurring_enable recurring_id recurring_register redirect redirectData
        redirect_data referrer_url region region_code register register_payment_id remaining_refund reorder request
        request_id result_code result_message return return_url rrn save save_mode saved_account_id
        scheduled_payment_id schedule screen_res shipping sid signature split_with_redirect start_date start_time state status
        stored_card_type street strings success sum sum_converted sum_initial sum_real sum_refund sum_request term_url
        terminal_callback_url threeds threeds2 threeds_completion_indicator time timezone_offset title token
        token_created_at token_status transaction translations trigger_operation_id type url user valid_thru validator wallet_id
        wallet_owner year zip
        """
}
